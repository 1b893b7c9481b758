import type { CSSProperties, ReactNode } from 'react'

/** Plain HTML replacements for the @tarojs/components that first screens use (aliased by config/ssr-bundle.ts). */

interface Props {
  id?: string
  className?: string
  style?: CSSProperties
  role?: string
  children?: ReactNode
}

/** properties of a link of ui/Pressable */
interface Link {
  href?: string
}

/** Drops the role `button`: without the app's scripts only links react to taps. */
const roleOf = (role: string | undefined) => (role === 'button' || role === 'link' ? undefined : role)

/** Accessibility attributes. */
const ariaProps = (props: object) =>
  Object.fromEntries(Object.entries(props).filter(([name]) => name.startsWith('aria-')))

export function View({ id, className, style, role, href, children, ...rest }: Props & Link) {
  const own = { id, style, role: roleOf(role), ...ariaProps(rest) }
  return href ? (
    <a {...own} className={`f ${className}`} href={href}>
      {children}
    </a>
  ) : (
    <div {...own} className={className}>
      {children}
    </div>
  )
}

export const Text = ({ className, children }: Props) => <span className={className}>{children}</span>

export function ScrollView({ className, ...rest }: Props) {
  return <View {...rest} className={`f-row ${className}`} />
}

interface Picture extends Props {
  src: string
  lazyLoad?: boolean
  nativeProps: { alt: string }
}

export const Image = ({ className, src, lazyLoad, nativeProps }: Picture) => (
  <div className={className}>
    <img className='f-img' src={src} alt={nativeProps.alt} {...(lazyLoad && { loading: 'lazy' })} />
  </div>
)

/** Default styles of the replaced elements; placed before the app's styles, which may override them. */
export const style = `#first{position:fixed;z-index:30;top:0;left:0;width:100%;height:100%;overflow-x:hidden;overflow-y:scroll;background:var(--bg)}
#first *{box-sizing:border-box}#first[hidden],#first [hidden]{display:none}.f{display:block;color:inherit;text-decoration:none}.f-row{overflow-x:auto;overflow-y:hidden}.f-img{display:block;width:100%;height:100%;object-fit:cover}`

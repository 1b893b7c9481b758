import { View } from '@tarojs/components'
import { a11y } from '@/ui/a11y'
import { Icon } from '@/ui/Icon/Icon'
import { copy } from '../copy'
import { loginPurpose } from '../loginPurpose'
import './Brand.scss'

/** Brand, title and the benefit of logging in. */
export function Brand({ title, note }: { title: string; note: string }) {
  return (
    <View className='brand'>
      <View className='brand__mark' {...a11y('img', { label: copy.product })} />
      <View className='brand__title'>{title}</View>
      <View className='brand__note'>{note}</View>
    </View>
  )
}

/** What the login is for, by where it leads; for an invitation also what help gives away and what not. */
export function LoginHead({ redirect, title, note }: { redirect: string | undefined; title: string; note: string }) {
  const purpose = loginPurpose(redirect)
  return (
    <>
      <Brand title={purpose ? copy.awaits[purpose] : title} note={note} />
      {purpose === 'help' ? (
        <View className='brand-help'>
          <View className='brand-help__card' />
          <View className='brand-help__lines'>
            {[copy.helpGives, copy.helpKeeps].map((line) => (
              <View key={line} className='brand-help__line'>
                <Icon name='check' size='s' />
                <View className='brand-help__text'>{line}</View>
              </View>
            ))}
          </View>
        </View>
      ) : null}
    </>
  )
}

/** Safety note of every login page. */
export function SafetyNote() {
  return (
    <View className='brand-safety'>
      <Icon name='shield' size='s' />
      <View className='brand-safety__text'>{copy.safety}</View>
    </View>
  )
}

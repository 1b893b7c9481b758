import { PageContainer } from '@tarojs/components'
import type { CoverProps, Uncover } from './port'

/** The host lets the way back close a page-container; ours has nothing in it and takes no room. */
export function Cover({ open, onBack }: CoverProps) {
  return (
    <PageContainer
      show={open}
      overlay={false}
      duration={0}
      customStyle='position:absolute;width:0;height:0;overflow:hidden'
      onAfterLeave={() => open && onBack(true)}
    />
  )
}

export const uncover: Uncover = async () => undefined
export const installCovers = () => undefined

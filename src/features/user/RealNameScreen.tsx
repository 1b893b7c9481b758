import { View } from '@tarojs/components'
import { useEffect } from 'react'
import { useCall } from '@/api/useCall'
import { isRealNameSubmitted } from '@/contract/labels'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Checkbox, TextLink } from '@/ui/Checkbox/Checkbox'
import { Notice } from '@/ui/Notice/Notice'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from './copy'
import { useRealName } from './useRealName'
import './RealNameScreen.scss'

const words = copy.realName

/** Skips the form for users who are already verified or being verified. */
function useRedirectWhenVerified(redirect: string | undefined) {
  const { data } = useCall('user', 'get', {})
  const status = data?.realName.status
  const done = status !== undefined && isRealNameSubmitted(status)
  useEffect(() => {
    if (done) void nav.redirect('mineRealNameResult', { redirect })
  }, [done, redirect])
  return done
}

/** Real-name form, needed for manual orders only. Input is not masked, so that the user can check it. */
export function RealNameScreen({ params }: ScreenProps<'mineRealName'>) {
  const form = useRealName(params.redirect)
  if (useRedirectWhenVerified(params.redirect)) return null
  return (
    <View className='real-name'>
      <Notice icon='shield' text={words.why} />
      <Card>
        <TextInput
          label={words.name}
          value={form.name}
          onChange={form.change('name')}
          onBlur={form.leave('name')}
          placeholder={words.namePlaceholder}
          autoComplete='name'
          error={form.errors.name}
          disabled={form.busy}
        />
        <TextInput
          label={words.idNo}
          value={form.idNo}
          onChange={form.change('idNo')}
          onBlur={form.leave('idNo')}
          placeholder={words.idNoPlaceholder}
          keyboard='idcard'
          error={form.errors.idNo}
          disabled={form.busy}
          onConfirm={form.submit}
        />
        <View className='real-name__agree'>
          <Checkbox
            value={form.agreed}
            onChange={form.agree}
            name={`${words.consentLead}${words.privacy}`}
            shakes={form.shakes}
          >
            {words.consentLead}
            <TextLink onClick={() => void nav.to('article', { key: 'PRIVACY' })}>{words.privacy}</TextLink>
          </Checkbox>
        </View>
        {form.errors.form ? <Notice tone='bad' text={form.errors.form} /> : null}
        <Button size='l' block loading={form.busy} className='real-name__submit' onClick={form.submit}>
          {form.busy ? words.submitting : words.submit}
        </Button>
        <View className='real-name__age'>{words.age}</View>
      </Card>
    </View>
  )
}

import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, type FirstStep } from '../../api.ts'
import { defineTexts } from '../../i18n.ts'
import { reentered, useReentering } from '../../reenter.ts'
import { ME, tellSignedIn, type Me } from '../../session.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { giveUpUnsaved, reopen } from '../../unsaved.ts'
import { ProviderButtons } from './providers.tsx'
import { PasskeyButton, SecondStep } from './second-step.tsx'
import { useTexts as useDoorTexts } from './texts.ts'

const useTexts = defineTexts('reenter', {
  en: {
    title: 'Sign in again',
    text: 'You were signed out. What you typed is still here. Saving goes on once you have signed in.',
    other: 'For another person this page opens anew, and nothing that was typed here is saved.',
    longAgo: 'You signed in a while ago. For this, prove once more that it’s you.',
    cancel: 'Cancel',
    leave: 'Go to the sign-in page',
    mustChange: 'This password has to be changed first. Go to the sign-in page: this browser keeps what you typed.',
  },
  ar: {
    title: 'تسجيل الدخول من جديد',
    text: 'سُجّل خروجك. ما كُتب ما زال هنا، ويستمر الحفظ بعد تسجيل الدخول.',
    other: 'إن سجّل شخص آخر دخوله تُفتح له هذه الصفحة من جديد، ولا يُحفظ شيء مما كُتب هنا.',
    longAgo: 'مضى وقت على دخولك. يتطلب هذا إثبات هويتك مرة أخرى.',
    cancel: 'إلغاء',
    leave: 'الانتقال إلى صفحة الدخول',
    mustChange: 'يلزم أولًا تغيير كلمة المرور هذه من صفحة الدخول. يحتفظ هذا المتصفح بما كُتب.',
  },
})

/** Shown over the page whose session has ended, or is too old. It covers the page, because the member may have left the place to somebody else. */
export function ReenterDialog() {
  const t = useTexts()
  const door = useDoorTexts()
  const isLongAgo = useReentering() === 'long-ago'
  const client = useQueryClient()
  const [before] = useState(() => client.getQueryData<Me>(ME))
  // Who came by a provider goes there and back, and does once more what was asked.
  const hasPassword = before?.hasPassword !== false
  const [email, setEmail] = useState(before?.user.email ?? '')
  const [password, setPassword] = useState('')
  const [first, setFirst] = useState<FirstStep>()
  const onEntered = (me: Me) => {
    tellSignedIn(me.user.userId)
    // Text that another person typed must not be sent in this person's name.
    if (me.user.userId !== before?.user.userId) return reopen()
    client.setQueryData(ME, me)
    reentered(true)
    void client.invalidateQueries()
  }
  const enter = useMutation({
    mutationFn: async () => (await call<Me>('/auth/session', { method: 'POST', body: { email, password } })).data,
    onSuccess: onEntered,
    onError: (error) => setFirst(error instanceof ApiError ? error.firstStep : undefined),
  })
  const refusal = enter.error instanceof ApiError ? enter.error : undefined
  const said = refusal?.status === 401 ? door('wrong') : refusal?.code === 'PASSWORD_CHANGE_REQUIRED' ? t('mustChange') : undefined
  const leave = () => {
    giveUpUnsaved()
    location.assign(`/login?from=${encodeURIComponent(location.pathname + location.search)}`)
  }
  return (
    <Dialog
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('title')}
      zIndex={1_000}
      overlayProps={{ backgroundOpacity: 0.9, blur: 12 }}
    >
      {first ? (
        <SecondStep first={first} onDone={onEntered} onBack={() => (setFirst(undefined), enter.reset())} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            enter.mutate()
          }}
        >
          <Stack>
            <Text size="sm">{t(isLongAgo ? 'longAgo' : 'text')}</Text>
            <PasskeyButton onDone={onEntered} />
            {hasPassword ? (
              <>
                <TextInput
                  label={door('email')}
                  type="email"
                  required
                  autoComplete="username"
                  dir="ltr"
                  value={email}
                  onChange={({ currentTarget }) => setEmail(currentTarget.value)}
                />
                {before && email.trim().toLowerCase() !== before.user.email.toLowerCase() && (
                  <Text size="sm" c="dimmed" role="status">
                    {t('other')}
                  </Text>
                )}
                <PasswordInput
                  label={door('password')}
                  required
                  autoComplete="current-password"
                  visibilityToggleButtonProps={{ 'aria-label': door('show') }}
                  value={password}
                  onChange={({ currentTarget }) => setPassword(currentTarget.value)}
                  data-autofocus
                />
              </>
            ) : (
              <ProviderButtons email={email} returnTo={location.pathname + location.search} />
            )}
            {enter.error && <Failure error={said ? new Error(said) : enter.error} />}
            <Group justify="space-between">
              {isLongAgo ? (
                <Button variant="default" onClick={() => reentered(false)}>
                  {t('cancel')}
                </Button>
              ) : (
                <Button variant="subtle" onClick={leave}>
                  {t('leave')}
                </Button>
              )}
              {hasPassword && (
                <Button type="submit" loading={enter.isPending}>
                  {door('submit')}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  )
}

import { PasswordInput } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useState } from 'react'
import { useTexts } from './texts.ts'

/** A new password, typed twice. `fault` says what is wrong with it, once it was to be sent. */
export function useNewPassword() {
  const t = useTexts()
  const [typed, setTyped] = useState({ next: '', again: '' })
  const [isSent, setSent] = useState(false)
  const { next, again } = typed
  const fault = next.length < LIMITS.passwordMinLength ? ('next' as const) : next !== again ? ('again' as const) : undefined
  const field = (name: keyof typeof typed) => ({
    required: true,
    maxLength: 200,
    autoComplete: 'new-password',
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped((before) => ({ ...before, [name]: currentTarget.value })),
    visibilityToggleButtonProps: { 'aria-label': t('show') },
  })
  const fields = (
    <>
      <PasswordInput
        label={t('newPassword')}
        description={t('passwordRule', { min: LIMITS.passwordMinLength })}
        error={isSent && fault === 'next' ? t('passwordShort', { min: LIMITS.passwordMinLength }) : undefined}
        {...field('next')}
      />
      <PasswordInput
        label={t('newPasswordAgain')}
        error={isSent && fault === 'again' ? t('passwordDiffers') : undefined}
        {...field('again')}
      />
    </>
  )
  /** Whether it can be sent; shows what is wrong otherwise. */
  const check = () => {
    setSent(true)
    return fault === undefined
  }
  return { next, fields, check }
}

import { Button, Stack, Text, Title } from '@mantine/core'
import { useLocation } from 'react-router'
import { defineTexts } from '../i18n.ts'

const useTexts = defineTexts('frame.sso', {
  en: {
    title: 'Sign in with your provider',
    text: 'This workspace is opened by a sign-in with its provider.',
    go: 'Go to sign-in',
    none: 'The provider is gone or switched off. Ask whoever runs the server.',
  },
  ar: {
    title: 'الدخول عن طريق المزوّد',
    text: 'تُفتح مساحة العمل هذه بتسجيل الدخول عن طريق مزوّدها.',
    go: 'الانتقال إلى تسجيل الدخول',
    none: 'حُذف المزوّد أو أُوقف. يُرجى مراجعة مشغّل الخادم.',
  },
})

/** Shown in place of the pages of a workspace that this session does not open. */
export function SsoNotice({ address }: { address: string }) {
  const t = useTexts()
  const { pathname, search } = useLocation()
  return (
    <Stack align="flex-start" p="md" maw={600}>
      <Title order={1}>{t('title')}</Title>
      <Text>{t(address === '' ? 'none' : 'text')}</Text>
      {address !== '' && (
        <Button component="a" href={`${address}?returnTo=${encodeURIComponent(pathname + search)}`}>
          {t('go')}
        </Button>
      )}
    </Stack>
  )
}

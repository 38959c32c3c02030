import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { useRead } from '../../data.ts'
import { defineTexts } from '../../i18n.ts'
import { askToReenter } from '../../reenter.ts'
import { ME, useSession, useSignOut } from '../../session.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import type { SecondFactors } from '../settings/api.ts'
import { YourSecondFactors } from '../settings/account/your-second-factors.tsx'
import { Door } from './door.tsx'

const useTexts = defineTexts('gate', {
  en: {
    title: 'This workspace needs a second step',
    text: '{{name}} lets in members with a passkey or an authenticator app only. Add one to your account; it takes a minute.',
    again: '{{name}} lets in members who signed in with their second step only. Sign in again, with yours.',
    signIn: 'Sign in again',
    others: 'Your other workspaces',
    signOut: 'Sign out',
  },
  ar: {
    title: 'تتطلب مساحة العمل هذه خطوة ثانية',
    text: 'لا تُفتح {{name}} إلا لمن لديه مفتاح مرور أو تطبيق مصادقة. يمكنك إضافة أحدهما لحسابك في دقيقة.',
    again: 'لا تُفتح {{name}} إلا لمن دخل بخطوته الثانية. يلزم تسجيل الدخول من جديد بخطوتك.',
    signIn: 'تسجيل الدخول من جديد',
    others: 'مساحات عملك الأخرى',
    signOut: 'تسجيل الخروج',
  },
})

/** Shown instead of a workspace whose members prove a second factor, to one who has not. `onOpen`: it may be open now. */
export function SecondFactorGate({ onOpen }: { onOpen: () => void }) {
  const t = useTexts()
  const { me, workspace } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const factors = useRead<SecondFactors>('/auth/second-factor')
  useDocumentTitle(`${t('title')} · ContentFlow`)
  const others = me.workspaces.filter(({ id, needsSecondFactor }) => id !== workspace.id && !needsSecondFactor)
  const again = async () => {
    if (await askToReenter('long-ago')) await client.invalidateQueries({ queryKey: ME }).then(onOpen)
  }
  return (
    <Door>
      <Card withBorder padding="lg">
        <Stack>
          <Title order={1}>{t('title')}</Title>
          <Loaded read={factors} height={160}>
            {({ authenticator, passkeys }) => (
              <Stack>
                {/* What was just added is shown here until its recovery codes are stored. */}
                {workspace.needsSecondFactor && (authenticator || passkeys > 0) ? (
                  <>
                    <Text size="sm">{t('again', { name: workspace.name })}</Text>
                    <Button onClick={() => void again()}>{t('signIn')}</Button>
                  </>
                ) : (
                  <Text size="sm">{t('text', { name: workspace.name })}</Text>
                )}
                <YourSecondFactors onDone={onOpen} />
              </Stack>
            )}
          </Loaded>
        </Stack>
      </Card>
      <Group justify="space-between" gap="xs" align="flex-start">
        <Stack gap={4}>
          {others.length > 0 && (
            <Text size="sm" c="dimmed">
              {t('others')}
            </Text>
          )}
          {others.map(({ id, name }) => (
            <Anchor key={id} component={Link} to={`/w/${id}`} size="sm">
              {name}
            </Anchor>
          ))}
        </Stack>
        <Button variant="subtle" onClick={() => void signOut().then(() => navigate('/login'))}>
          {t('signOut')}
        </Button>
      </Group>
    </Door>
  )
}

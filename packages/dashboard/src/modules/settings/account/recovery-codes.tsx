import { Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import type { RecoveryCodes } from '../api.ts'
import { SecretDialog } from '../secret-dialog.tsx'
import { SECOND_FACTORS } from './second-factors.ts'
import { useSecurityTexts } from './texts-security.ts'

/** How many are left, and new ones. */
export function YourRecoveryCodes({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) {
  const t = useSecurityTexts()
  const [isAsking, setAsking] = useState(false)
  const renew = useWrite<void, RecoveryCodes>(() => ({ method: 'POST', path: '/auth/recovery-codes' }), { stale: SECOND_FACTORS })
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={2} maw={520}>
        <Text size="sm" fw={600}>
          {t('recoveryCodes')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('recoveryCodesLeft', { count: left })} {t('recoveryCodesText')}
        </Text>
      </Stack>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('renewCodes')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          renew.mutate(undefined, { onSuccess: ({ recoveryCodes = [] }) => onCodes(recoveryCodes), onSettled: () => setAsking(false) })
        }
        title={t('renewTitle')}
        action={t('renewCodes')}
        isBusy={renew.isPending}
      >
        {t('renewText')}
      </Confirm>
    </Group>
  )
}

/** Shown this once. */
export function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useSecurityTexts()
  return (
    <SecretDialog title={t('codesTitle')} warning={t('codesWarning')} onClose={onClose}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" dir="ltr">
        {codes.map((code) => (
          <Code key={code} fz="sm">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'copied' : 'copyAll')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </SecretDialog>
  )
}

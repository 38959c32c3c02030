import { Button, Stack, Text } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { pathOf, type Receipt, type Subject } from '../api.ts'
import { useTexts } from '../texts.ts'

/** Asks for the id to be typed, then goes to the receipt, which shows the parts go one by one. */
export function ErasePerson({ subject }: { subject: Subject }) {
  const t = useTexts()
  const { mayAdmin, workspace } = useSession()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const erase = useWrite<void, Receipt>(() => ({ path: pathOf(subject), method: 'DELETE', query: { environment: subject.environment } }), {
    stale: ['/erasures'],
    showsError: true,
  })
  if (!mayAdmin) return null
  return (
    <>
      <Button color="red" variant="light" leftSection={<IconEraser size={16} aria-hidden />} onClick={() => setAsking(true)}>
        {t('erase')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => (erase.reset(), setAsking(false))}
        onConfirm={() =>
          erase.mutate(undefined, {
            onSuccess: ({ id }) => void navigate(`/w/${workspace.id}/people/erasures/${id}`, { state: { erased: subject.id } }),
          })
        }
        title={t('eraseTitle')}
        action={t('eraseAction')}
        isDangerous
        isBusy={erase.isPending}
        typed={subject.id}
      >
        <Stack gap="sm">
          <Text size="sm">{t('eraseText')}</Text>
          <Text size="sm">{t('eraseTyped')}</Text>
          {erase.error && <Failure error={erase.error} />}
        </Stack>
      </Confirm>
    </>
  )
}

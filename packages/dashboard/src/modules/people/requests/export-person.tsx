import { Button, Stack, Text } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { Subject } from '../api.ts'
import { EXPORTS } from './requests.ts'
import { savePerson } from './save-person.ts'
import { useRequestTexts } from './texts.ts'

/** Everything about this person as one file, for an admin who is asked for it. */
export function ExportPerson({ subject }: { subject: Subject }) {
  const t = useRequestTexts()
  const { mayAdmin, workspace } = useSession()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const save = useMutation({
    mutationFn: () => savePerson(workspace.id, subject),
    onSuccess: () => {
      setAsking(false)
      void client.invalidateQueries({ queryKey: [workspace.id, EXPORTS] })
    },
  })
  if (!mayAdmin) return null
  return (
    <>
      <Button variant="default" leftSection={<IconFileZip size={16} aria-hidden />} onClick={() => setAsking(true)}>
        {t('exportPerson')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => (save.reset(), setAsking(false))}
        onConfirm={() => save.mutate()}
        title={t('exportTitle')}
        action={t('exportAction')}
        isBusy={save.isPending}
      >
        <Stack gap="sm">
          <Text size="sm">{t('exportText', { id: subject.id })}</Text>
          {save.error && <Failure error={save.error} />}
        </Stack>
      </Confirm>
    </>
  )
}

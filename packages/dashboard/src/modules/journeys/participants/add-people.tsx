import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { JourneyEnrolled } from '@contentflow/server/wire.ts'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Failure } from '../../../ui/failure.tsx'
import { pathOf, STALE, type Journey } from '../api.ts'
import { useParticipantTexts } from '../texts-participants.ts'
import { Dialog } from '../../../ui/dialog.tsx'

/** Enters people by hand (M-JRN-01). */
export function AddPeople({ journey, isOpen, onClose }: { journey: Journey; isOpen: boolean; onClose: () => void }) {
  const t = useParticipantTexts()
  const format = useFormat()
  const [text, setText] = useState('')
  const userIds = [...new Set(text.split(/[\n,،]/).map((id) => id.trim()))].filter((id) => id !== '')
  const enroll = useWrite<{ userIds: string[] }, JourneyEnrolled>(
    (body) => ({ path: `${pathOf(journey.id)}/enroll`, method: 'POST', body }),
    {
      stale: STALE,
      showsError: true,
    },
  )
  const close = () => {
    setText('')
    enroll.reset()
    onClose()
  }
  const add = () =>
    enroll.mutate(
      { userIds },
      {
        onSuccess: ({ enrolled, alreadyEnrolled, notFound }) => {
          const counts = {
            entered: format.number(enrolled),
            already: format.number(alreadyEnrolled.length),
            missing: format.number(notFound.length),
          }
          notifications.show({ message: t('added', counts), color: 'teal' })
          // Ids that were not found stay in the field.
          setText(notFound.join('\n'))
          if (notFound.length === 0) close()
        },
      },
    )
  const missing = enroll.data?.notFound ?? []
  return (
    <Dialog opened={isOpen} onClose={close} title={t('add')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <Stack>
          <Text size="sm">{t('addText')}</Text>
          <Textarea
            label={t('ids')}
            description={t('idsHelp', { most: format.number(LIMITS.bulkPeople) })}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            autosize
            minRows={4}
            maxRows={12}
            dir="ltr"
            spellCheck={false}
            error={missing.length > 0 && t('notFound', { ids: format.list(missing.slice(0, 20)) })}
            data-autofocus
          />
          {enroll.error && <Failure error={enroll.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={enroll.isPending} disabled={userIds.length === 0 || userIds.length > LIMITS.bulkPeople}>
              {t('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

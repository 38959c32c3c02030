import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Failure } from '../../../ui/failure.tsx'
import type { Campaign } from '../api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useActionTexts } from './texts.ts'
import { useStep } from './use-step.ts'

/** Returns the campaign to the member who submitted it, with the changes that are wanted. */
export function RejectDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useActionTexts()
  const [note, setNote] = useState('')
  const step = useStep(campaign, 'reject')
  return (
    <Dialog opened onClose={onClose} title={t('rejectTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          step.mutate({ note: note.trim() }, { onSuccess: onClose })
        }}
      >
        <Stack>
          <Textarea
            label={t('rejectNote')}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            maxLength={LIMITS.reviewNoteLength}
            dir="auto"
            rows={3}
            resize="vertical"
            required
            data-autofocus
          />
          {step.error && <Failure error={step.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={step.isPending} disabled={note.trim() === ''}>
              {t('reject')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

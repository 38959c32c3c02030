import { Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { comparePlaceholders, readPlaceholders } from '@contentflow/core/strings/placeholders.ts'
import { useState, type ReactNode } from 'react'
import type { ApiError } from '../../api.ts'
import { useWrite } from '../../data.ts'
import { useRefusal } from '../../refusals.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { STALE, translationPath, versionOf } from './api.ts'
import type { Target } from './edits.ts'
import { PlaceholderWarnings } from './placeholder-warnings.tsx'
import { useTexts } from './texts.ts'

type ApprovalTarget = Target & {
  sourceText: string
  text: string
  /** The tag of the stored text that was looked at. */
  etag?: string | undefined
  /** The text is not stored yet: it is sent along. */
  isTyped?: boolean
  onDone?: () => void
  /** Without it a notification shows the error. */
  onError?: (error: ApiError) => void
}

export type Approval = { approve: (asked: ApprovalTarget) => void; isBusy: boolean; dialog: ReactNode }

/** Approves one translation; where placeholders are broken it asks for confirmation. The caller has to draw `dialog`. */
export function useApproval(): Approval {
  const [doubtful, setDoubtful] = useState<ApprovalTarget>()
  const say = useRefusal()
  const write = useWrite<ApprovalTarget & { force: boolean }>(
    ({ key, locale, text, etag, isTyped, force }) => ({
      path: `${translationPath(key, locale)}/approve`,
      method: 'POST',
      body: { ...(isTyped && { text }), force },
      version: versionOf(etag),
    }),
    { stale: STALE, showsError: true },
  )
  const send = (asked: ApprovalTarget, force: boolean) =>
    write.mutate(
      { ...asked, force },
      {
        onSuccess: () => {
          setDoubtful(undefined)
          asked.onDone?.()
        },
        onError: (error) => {
          if (error.code === 'PLACEHOLDER_MISMATCH') return setDoubtful(asked)
          setDoubtful(undefined)
          if (asked.onError) asked.onError(error)
          else notifications.show({ title: asked.key, message: say(error), color: 'red', autoClose: 10_000 })
        },
      },
    )
  return {
    approve: (asked) => send(asked, false),
    isBusy: write.isPending,
    dialog: (
      <BrokenDialog
        asked={doubtful}
        isBusy={write.isPending}
        onClose={() => setDoubtful(undefined)}
        onConfirm={() => doubtful && send(doubtful, true)}
      />
    ),
  }
}

type BrokenDialogProps = { asked: ApprovalTarget | undefined; isBusy: boolean; onClose: () => void; onConfirm: () => void }

function BrokenDialog({ asked, isBusy, onClose, onConfirm }: BrokenDialogProps) {
  const t = useTexts()
  const warnings = asked ? comparePlaceholders(readPlaceholders(asked.sourceText), readPlaceholders(asked.text), asked.locale) : []
  return (
    <Confirm
      isOpen={asked !== undefined}
      onClose={onClose}
      onConfirm={onConfirm}
      title={t('brokenTitle')}
      action={t('approveAnyway')}
      isDangerous
      isBusy={isBusy}
    >
      <Stack gap="xs">
        <Text size="sm">{t('brokenText')}</Text>
        <Text size="sm" dir="auto" fw={500} className="cf-foreign">
          {asked?.text}
        </Text>
        <PlaceholderWarnings warnings={warnings.filter(({ isBreaking }) => isBreaking)} />
      </Stack>
    </Confirm>
  )
}

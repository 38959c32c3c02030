import { Stack, Text } from '@mantine/core'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { Campaign } from '../api.ts'
import { useReach } from '../composer/reach.tsx'
import { LanguageWarnings } from '../composer/variants/notices.tsx'
import { useLanguageWarnings } from '../composer/variants/use-language-warnings.ts'
import { SendingNotes } from '../sending/sending-notes.tsx'
import { useActionTexts } from './texts.ts'
import { useStep } from './use-step.ts'

type SubmitProps = { campaign: Campaign; onClose: () => void; onDone?: (campaign: Campaign) => void }

export function SubmitDialog({ campaign, onClose, onDone }: SubmitProps) {
  const t = useActionTexts()
  const step = useStep(campaign, 'submit')
  const { data } = useReach(campaign.id)
  const { warnings, source } = useLanguageWarnings(campaign)
  return (
    <Confirm
      isOpen
      onClose={onClose}
      onConfirm={() => step.mutate({}, { onSuccess: (submitted) => (onDone ? onDone(submitted) : onClose()) })}
      title={t('submitTitle')}
      action={t('submit')}
      isBusy={step.isPending}
    >
      <Stack gap="xs">
        <Text size="sm">{t('submitText')}</Text>
        <LanguageWarnings warnings={warnings} source={source} />
        {data && <SendingNotes faults={data.warnings} />}
        {step.error && <Failure error={step.error} />}
      </Stack>
    </Confirm>
  )
}

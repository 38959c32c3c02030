import type { ProofEnvironment, ProofPart } from '@contentflow/core/identity-proof/modes.ts'
import type { ProofReport } from '@contentflow/server/wire.ts'
import { Stack, Text } from '@mantine/core'
import { ApiError } from '../../../api.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { REPORT_PATH } from './paths.ts'
import { useIdentityTexts } from './texts-identity.ts'

type RequireDialogProps = {
  part: ProofPart
  environment: ProofEnvironment
  refusal: Error | null
  isBusy: boolean
  onClose: () => void
  /** Sends the number that was shown, which the server requires. */
  onConfirm: (wouldRefuse: number) => void
}

/** Says how many calls of the last day would have been refused before they are. */
export function RequireDialog({ part, environment, refusal, isBusy, onClose, onConfirm }: RequireDialogProps) {
  const t = useIdentityTexts()
  const format = useFormat()
  const report = useRead<ProofReport>(REPORT_PATH, { environment })
  const { calls = 0, proven = 0 } = report.data?.last24h[part] ?? {}
  // Further calls came since: the server says how many there are now.
  const moved = refusal instanceof ApiError ? refusal.wouldRefuse : undefined
  const wouldRefuse = moved ?? calls - proven
  return (
    <Confirm
      isOpen
      onClose={onClose}
      onConfirm={() => onConfirm(wouldRefuse)}
      title={t('requireTitle', { part: t(part) })}
      action={t('require')}
      isDangerous={wouldRefuse > 0}
      isBusy={isBusy || report.isLoading}
    >
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {wouldRefuse === 0 ? t('wouldRefuseNone') : t('wouldRefuse', { count: wouldRefuse, formatted: format.number(wouldRefuse) })}
        </Text>
        {calls === 0 && <Text size="sm">{t('requireUncounted')}</Text>}
        <Text size="sm">{t(`require_${part}`)}</Text>
        {moved !== undefined && <Text size="sm">{t('requireMoved')}</Text>}
        {refusal && moved === undefined && <Failure error={refusal} />}
      </Stack>
    </Confirm>
  )
}

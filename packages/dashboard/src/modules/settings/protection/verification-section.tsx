import {
  PROOF_ENVIRONMENTS,
  PROOF_PARTS,
  type ProofEnvironment,
  type ProofMode,
  type ProofPart,
} from '@contentflow/core/identity-proof/modes.ts'
import type { IdentityVerification } from '@contentflow/server/wire.ts'
import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { ForApps, OnlyFor } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { ModeChoice } from './mode-choice.tsx'
import { VERIFICATION_PATH } from './paths.ts'
import { ProofReportView } from './proof-report.tsx'
import { RequireDialog } from './require-dialog.tsx'
import { useIdentityTexts } from './texts-identity.ts'

type Change = { environment: ProofEnvironment; part: ProofPart; mode: ProofMode; wouldRefuse?: number }

/** Whether calls of apps have to prove for whom they speak, for each environment and part. */
export function VerificationSection() {
  const t = useIdentityTexts()
  const { mayAdmin } = useSession()
  const label = useId()
  const [environment, setEnvironment] = useState<ProofEnvironment>('live')
  const [requiring, setRequiring] = useState<ProofPart>()
  const stored = useRead<IdentityVerification>(VERIFICATION_PATH)
  const change = useWrite<Change, IdentityVerification>(
    ({ environment: of, part, mode, wouldRefuse }) => ({
      method: 'PUT',
      path: VERIFICATION_PATH,
      body: { environment: of, [part]: mode, ...(wouldRefuse !== undefined && { wouldRefuse }) },
    }),
    { stale: [VERIFICATION_PATH], done: (_data, { part, mode }) => t(`isNow_${mode}`, { part: t(part) }), showsError: true },
  )
  const choose = (part: ProofPart, mode: ProofMode) => {
    if (change.isPending) return
    change.reset()
    if (mode === 'required') setRequiring(part)
    else change.mutate({ environment, part, mode })
  }
  return (
    <Section title={t('verification')} text={t('verificationText')}>
      <ForApps text={t('verificationEffect')} />
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={500} id={label}>
          {t('environment')}
        </Text>
        <SegmentedControl
          aria-labelledby={label}
          value={environment}
          onChange={(value) => setEnvironment(PROOF_ENVIRONMENTS.find((each) => each === value) ?? 'live')}
          data={PROOF_ENVIRONMENTS.map((value) => ({ value, label: t(value) }))}
        />
      </Stack>
      <Loaded read={stored} height={180}>
        {({ [environment]: modes }) => (
          <Stack gap="md">
            {PROOF_PARTS.map((part) => (
              <ModeChoice key={part} part={part} mode={modes[part]} onChange={mayAdmin ? (mode) => choose(part, mode) : undefined} />
            ))}
          </Stack>
        )}
      </Loaded>
      {change.error && requiring === undefined && <Failure error={change.error} />}
      {!mayAdmin && <OnlyFor who="admins" />}
      <ProofReportView environment={environment} modes={stored.data?.[environment]} />
      {requiring && (
        <RequireDialog
          part={requiring}
          environment={environment}
          refusal={change.error}
          isBusy={change.isPending}
          onClose={() => (change.reset(), setRequiring(undefined))}
          onConfirm={(wouldRefuse) =>
            change.mutate({ environment, part: requiring, mode: 'required', wouldRefuse }, { onSuccess: () => setRequiring(undefined) })
          }
        />
      )}
    </Section>
  )
}

import { PROOF_MODES, type ProofMode, type ProofPart } from '@contentflow/core/identity-proof/modes.ts'
import { Radio, Stack, Text } from '@mantine/core'
import { useIdentityTexts } from './texts-identity.ts'

type ModeChoiceProps = {
  part: ProofPart
  mode: ProofMode
  /** Without it the mode is shown, and cannot be changed. */
  onChange?: ((mode: ProofMode) => void) | undefined
}

/** What happens to calls that do not prove one part of their identity. */
export function ModeChoice({ part, mode, onChange }: ModeChoiceProps) {
  const t = useIdentityTexts()
  if (!onChange)
    return (
      <Stack gap={2}>
        <Text size="sm" fw={600}>
          {t(part)}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`${part}_text`)}
        </Text>
        <Text size="sm" fw={600}>
          {t(`mode_${mode}`)}
        </Text>
      </Stack>
    )
  return (
    <Radio.Group
      label={t(part)}
      description={t(`${part}_text`)}
      value={mode}
      onChange={(value) => {
        const chosen = PROOF_MODES.find((each) => each === value)
        if (chosen && chosen !== mode) onChange(chosen)
      }}
    >
      <Stack gap="xs" mt={8}>
        {PROOF_MODES.map((each) => (
          <Radio
            key={each}
            value={each}
            label={t(`mode_${each}`)}
            description={t(each === 'required' ? `${part}_required` : `mode_${each}_text`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

import { Stack, Switch, Text } from '@mantine/core'
import { useId } from 'react'
import { useSwitchTexts } from './texts-switches.ts'

type SwitchRowProps = {
  label: string
  /** What the switch does. */
  text: string
  isOn: boolean
  /** Without it the state is shown, and cannot be changed. */
  onChange?: ((isOn: boolean) => void) | undefined
}

/** One of a list of switches, with what it does. */
export function SwitchRow({ label, text, isOn, onChange }: SwitchRowProps) {
  const t = useSwitchTexts()
  const id = useId()
  return (
    <li>
      <Stack gap={2}>
        <Text size="sm" fw={600} id={id}>
          {label}
        </Text>
        <Text size="sm" c="dimmed" id={`${id}-text`} maw={680}>
          {text}
        </Text>
      </Stack>
      {onChange ? (
        <Switch
          aria-labelledby={id}
          aria-describedby={`${id}-text`}
          checked={isOn}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      ) : (
        <Text size="sm" fw={600}>
          {t(isOn ? 'on' : 'off')}
        </Text>
      )}
    </li>
  )
}

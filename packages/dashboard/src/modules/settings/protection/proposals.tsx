import { Button, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { PROTECTIONS, type ProtectionName } from '@contentflow/core/protections.ts'
import type { ProtectionSwitches } from '@contentflow/server/wire.ts'
import { useState } from 'react'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import classes from '../settings.module.css'
import { PROTECTIONS_PATH } from './paths.ts'
import { SwitchRow } from './switch-row.tsx'
import { useProposalTexts } from './texts-proposals.ts'
import { useProtectionTexts } from './texts.ts'

export type Undecided = {
  /** An admin has neither turned any on nor said "not now" in this browser; undefined until that is known. */
  isUndecided: boolean | undefined
  decide: () => void
}

/** Whether the protections of this workspace are still to be proposed to whoever looks at it. */
export function useUndecided(): Undecided {
  const { workspace, mayAdmin } = useSession()
  const [isDecided, setDecided] = useLocalStorage({
    key: `cf.protections-decided.${workspace.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const isAsked = mayAdmin && !workspace.isSandbox && !isDecided
  const { data, error } = useRead<{ protections: ProtectionSwitches }>(PROTECTIONS_PATH, {}, { when: isAsked })
  const decide = () => setDecided(true)
  // What cannot be read is not proposed: the page is about something else.
  if (!isAsked || error) return { isUndecided: false, decide }
  return { isUndecided: data && Object.values(data.protections).every((isOn) => !isOn), decide }
}

/** Proposed to whoever makes a workspace or its first key: all of them, until something is left out. */
export function Proposals({ decide }: { decide: () => void }) {
  const t = useProposalTexts()
  const say = useProtectionTexts()
  const [left, setLeft] = useState<readonly ProtectionName[]>([])
  const chosen = PROTECTIONS.filter((name) => !left.includes(name))
  const turnOn = useWrite<readonly ProtectionName[]>(
    (names) => ({ method: 'PUT', path: PROTECTIONS_PATH, body: { protections: Object.fromEntries(names.map((name) => [name, true])) } }),
    { stale: [PROTECTIONS_PATH], done: t('done'), showsError: true },
  )
  return (
    <Section title={t('title')} text={t('lead')}>
      <ul className={classes.switches}>
        {PROTECTIONS.map((name) => (
          <SwitchRow
            key={name}
            label={say(name)}
            text={say(`${name}_text`)}
            isOn={!left.includes(name)}
            onChange={(isOn) => setLeft(isOn ? left.filter((each) => each !== name) : [...left, name])}
          />
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        {t('later')}
      </Text>
      {turnOn.error && <Failure error={turnOn.error} />}
      <Group gap="sm">
        <Button loading={turnOn.isPending} disabled={chosen.length === 0} onClick={() => turnOn.mutate(chosen, { onSuccess: decide })}>
          {t('turnOn')}
        </Button>
        <Button variant="default" onClick={decide}>
          {t('notNow')}
        </Button>
      </Group>
    </Section>
  )
}

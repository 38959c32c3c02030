import { Button, Group, Text } from '@mantine/core'
import { PROTECTIONS } from '@contentflow/core/protections.ts'
import { useState, type ReactNode } from 'react'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Failure } from '../../../ui/failure.tsx'
import classes from '../settings.module.css'
import { FIRST_MESSAGES_PATH, LINK_SCHEMES_PATH, PROTECTIONS_PATH, VERIFICATION_PATH } from './paths.ts'
import { SwitchRow } from '../switches/switch-row.tsx'
import { useProposalTexts } from './texts-proposals.ts'
import { useProtectionTexts } from './texts.ts'

/** The protections, links only into apps that were named, and counting calls of apps by whether they prove their identity, which refuses none. */
const PROPOSED = [...PROTECTIONS, 'firstMessages', 'linkSchemes', 'identityReport'] as const
/** First messages an hour that are proposed: as many as a busy shop has new people, and far fewer than a relay wants. */
const FIRST_MESSAGES_PER_HOUR = 500
type Proposed = (typeof PROPOSED)[number]

/** All of them are on until one is turned off. */
export function ProposedSwitches({ decide, notNow }: { decide: () => void; notNow: ReactNode }) {
  const t = useProposalTexts()
  const say = useProtectionTexts()
  const format = useFormat()
  const [left, setLeft] = useState<readonly Proposed[]>([])
  const isChosen = (name: Proposed) => !left.includes(name)
  const protect = useWrite<void>(
    () => ({
      method: 'PUT',
      path: PROTECTIONS_PATH,
      body: { protections: Object.fromEntries(PROTECTIONS.filter(isChosen).map((name) => [name, true])) },
    }),
    { stale: [PROTECTIONS_PATH], showsError: true, done: t('done') },
  )
  const report = useWrite<void>(
    () => ({ method: 'PUT', path: VERIFICATION_PATH, body: { environment: 'live', userToken: 'report', deviceProof: 'report' } }),
    { stale: [VERIFICATION_PATH], showsError: true },
  )
  const limit = useWrite<void>(() => ({ method: 'PUT', path: FIRST_MESSAGES_PATH, body: { perHour: FIRST_MESSAGES_PER_HOUR } }), {
    stale: [FIRST_MESSAGES_PATH],
    showsError: true,
  })
  const links = useWrite<void>(() => ({ method: 'PUT', path: LINK_SCHEMES_PATH, body: { schemes: [] } }), {
    stale: [LINK_SCHEMES_PATH],
    showsError: true,
  })
  const turnOn = async () => {
    if (isChosen('firstMessages')) await limit.mutateAsync()
    if (isChosen('linkSchemes')) await links.mutateAsync()
    if (isChosen('identityReport')) await report.mutateAsync()
    await protect.mutateAsync()
    decide()
  }
  const error = report.error ?? limit.error ?? links.error ?? protect.error
  return (
    <>
      <ul className={classes.switches}>
        {PROPOSED.map((name) => (
          <SwitchRow
            key={name}
            label={say(name)}
            text={say(`${name}_text`, { most: format.number(FIRST_MESSAGES_PER_HOUR) })}
            isOn={isChosen(name)}
            onChange={(isOn) => setLeft(isOn ? left.filter((each) => each !== name) : [...left, name])}
          />
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        {t('later')}
      </Text>
      {error && <Failure error={error} />}
      <Group gap="sm">
        <Button
          loading={protect.isPending || report.isPending || limit.isPending || links.isPending}
          disabled={left.length === PROPOSED.length}
          onClick={() => {
            turnOn().catch(() => {
              // Shown above.
            })
          }}
        >
          {t('turnOn')}
        </Button>
        {notNow}
      </Group>
    </>
  )
}

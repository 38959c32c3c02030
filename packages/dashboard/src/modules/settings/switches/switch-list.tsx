import { useState } from 'react'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { OnlyFor } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import classes from '../settings.module.css'
import { SwitchRow } from './switch-row.tsx'
import { useSwitchTexts } from './texts-switches.ts'

type SwitchListProps<Name extends string> = {
  path: string
  /** The member of request and answer that holds the switches. */
  member: string
  names: readonly Name[]
  /** `ending`: what turning it off takes away. */
  wordsOf: (name: Name) => { label: string; text: string; ending: string }
  /** Pixels that the list will have. */
  height: number
}
type Change<Name> = { name: Name; isOn: boolean }

/** Switches of the workspace, which admins turn. On is harmless; off takes something away, so it is asked about. */
export function SwitchList<Name extends string>({ path, member, names, wordsOf, height }: SwitchListProps<Name>) {
  const t = useSwitchTexts()
  const { mayAdmin } = useSession()
  const stored = useRead<Record<string, Record<Name, boolean>>>(path)
  const [ending, setEnding] = useState<Name>()
  const change = useWrite<Change<Name>>(({ name, isOn }) => ({ method: 'PUT', path, body: { [member]: { [name]: isOn } } }), {
    stale: [path],
    done: (_data, { name, isOn }) => t(isOn ? 'isOn' : 'isOff', { name: wordsOf(name).label }),
    showsError: true,
  })
  const isChanging = (name: Name) => change.isPending && change.variables.name === name
  const flip = (name: Name, isOn: boolean) => {
    if (change.isPending) return
    if (isOn) change.mutate({ name, isOn })
    else setEnding(name)
  }
  return (
    <>
      <Loaded read={stored} height={height}>
        {({ [member]: switches }) => (
          <ul className={classes.switches}>
            {names.map((name) => (
              <SwitchRow
                key={name}
                {...wordsOf(name)}
                isOn={isChanging(name) ? change.variables?.isOn === true : switches?.[name] === true}
                onChange={mayAdmin ? (isOn) => flip(name, isOn) : undefined}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {change.error && <Failure error={change.error} />}
      {!mayAdmin && <OnlyFor who="admins" />}
      <Confirm
        isOpen={ending !== undefined}
        onClose={() => setEnding(undefined)}
        onConfirm={() => ending && change.mutate({ name: ending, isOn: false }, { onSettled: () => setEnding(undefined) })}
        title={t('endTitle', { name: ending ? wordsOf(ending).label : '' })}
        action={t('end')}
        isDangerous
        isBusy={change.isPending}
      >
        {ending && wordsOf(ending).ending}
      </Confirm>
    </>
  )
}

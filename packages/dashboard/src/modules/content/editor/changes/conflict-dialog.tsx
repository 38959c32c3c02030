import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useRead } from '../../../../data.ts'
import { contentOf, instancePath, type Instance, type Revision } from '../api.ts'
import { ChangeList, PlaceValue } from './change-list.tsx'
import { mergeOf, mergeWith, type Conflict } from './changes.ts'
import { useEditor } from '../editor-context.tsx'
import { useMemberNames } from '../../use-member-names.ts'
import { usePlaceNames } from './place-names.ts'
import { placeKey } from './places.ts'
import { useTexts } from '../texts.ts'
import type { Draft } from '../use-draft.ts'
import classes from '../editor.module.css'
import { Dialog } from '../../../../ui/dialog.tsx'

type Side = 'mine' | 'theirs'
type Props = { draft: Draft; onClose: () => void }

/** Merges the edits of two people. Changes of only one of them are kept; where both changed something, one is chosen. Nothing is saved here. */
export function ConflictDialog({ draft, onClose }: Props) {
  const t = useTexts()
  const { instance } = useEditor()
  const theirs = useMemo(() => contentOf(instance), [instance])
  const { conflicts, taken } = useMemo(() => mergeOf(draft.base, draft.content, theirs), [draft.base, draft.content, theirs])
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map())
  const name = useNewestMaker(instance)
  const isDecided = conflicts.every(({ place }) => chosen.has(placeKey(place)))
  const goOn = () => {
    const keepsTheirs = new Set([...chosen].filter(([, side]) => side === 'theirs').map(([key]) => key))
    draft.rebase(instance, mergeWith(draft.base, draft.content, theirs, keepsTheirs))
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('conflictTitle')} size="xl">
      <Stack gap="lg">
        <Text size="sm">{t('conflictText', { name, version: instance.version })}</Text>
        {conflicts.map((conflict) => (
          <Choice
            key={placeKey(conflict.place)}
            conflict={conflict}
            name={name}
            value={chosen.get(placeKey(conflict.place))}
            onChange={(side) => setChosen(new Map([...chosen, [placeKey(conflict.place), side]]))}
          />
        ))}
        {taken.length > 0 && (
          <Stack gap="xs">
            <Text fw={600}>{t('takenOver', { name })}</Text>
            <ChangeList changes={taken} label={t('takenOver', { name })} />
          </Stack>
        )}
        <Group justify="space-between">
          <Button
            variant="subtle"
            color="red"
            onClick={() => {
              draft.rebase(instance)
              onClose()
            }}
          >
            {t('dropMine')}
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('decideLater')}
            </Button>
            <Button onClick={goOn} disabled={!isDecided}>
              {t('continueMerged')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  )
}

type ChoiceProps = { conflict: Conflict; name: string; value: Side | undefined; onChange: (side: Side) => void }

function Choice({ conflict: { place, mine, theirs }, name, value, onChange }: ChoiceProps) {
  const t = useTexts()
  const names = usePlaceNames()
  return (
    <Radio.Group label={names(place)} value={value ?? null} onChange={(side) => onChange(side === 'mine' ? 'mine' : 'theirs')}>
      <div className={classes.sides}>
        <Radio.Card value="mine" p="sm" radius="md" aria-label={`${t('yours')}: ${names(place)}`}>
          <Side title={t('yours')}>
            <PlaceValue place={place} value={mine} />
          </Side>
        </Radio.Card>
        <Radio.Card value="theirs" p="sm" radius="md" aria-label={`${t('theirs', { name })}: ${names(place)}`}>
          <Side title={t('theirs', { name })}>
            <PlaceValue place={place} value={theirs} />
          </Side>
        </Radio.Card>
      </div>
    </Radio.Group>
  )
}

function Side({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <Radio.Indicator />
      <Stack gap={4} miw={0}>
        <Text size="xs" c="dimmed">
          {title}
        </Text>
        {children}
      </Stack>
    </Group>
  )
}

function useNewestMaker({ blockKey, id, version }: Instance): string {
  const makers = useMemberNames()
  const newest = useRead<{ revisions: Revision[] }>(`${instancePath(blockKey, id)}/revisions`, { limit: 5 }).data?.revisions
  return makers(newest?.find(({ number }) => number === version)?.madeBy ?? '')
}

import { Button, Checkbox, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../data.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { EXPERIMENTS, pathOf, type Experiment } from './api.ts'
import { useTexts } from './texts.ts'
import { useGroupName } from './words.ts'

/** A form control has no null: none of the variants is a value of its own, beside their indices. */
const NONE = 'none'

/** Writes down what came of an experiment. */
export function DecideDialog({ experiment, onClose }: { experiment: Experiment; onClose: () => void }) {
  const t = useTexts()
  const { id, subject, groups, verdict } = experiment
  const nameOf = useGroupName(experiment)
  const best = verdict.kind === 'clear' ? groups.findIndex(({ variantId }) => variantId === verdict.best) : -1
  const [chosen, setChosen] = useState(best === -1 ? NONE : String(best))
  const [note, setNote] = useState('')
  const [apply, setApply] = useState(false)
  const decide = useWrite<{ variant: string | null; note: string; apply: boolean }>(
    (body) => ({ method: 'POST', path: pathOf(id, '/decide'), body }),
    {
      stale: [EXPERIMENTS, '/blocks', '/campaigns'],
      done: t('decided'),
      showsError: true,
    },
  )
  const variant = chosen === NONE ? null : (groups[Number(chosen)]?.variantId ?? null)
  return (
    <Dialog opened onClose={onClose} title={t('decideTitle')} closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">{t('decideText')}</Text>
        <Radio.Group value={chosen} onChange={setChosen} label={t(subject === 'control' ? 'groupOfPeople' : 'variant')}>
          <Stack gap="xs" mt="xs">
            {groups.map(({ variantId }, index) => (
              <Radio key={variantId} value={String(index)} label={<bdi>{nameOf(variantId)}</bdi>} />
            ))}
            <Radio value={NONE} label={t('decideNone')} />
          </Stack>
        </Radio.Group>
        <Textarea
          label={t('note')}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          maxLength={2_000}
          autosize
          minRows={2}
          dir="auto"
        />
        {subject !== 'control' && (
          <Checkbox
            label={t(subject === 'campaign' ? 'applyCampaign' : 'apply')}
            description={t(subject === 'campaign' ? 'applyCampaignText' : 'applyText')}
            checked={apply}
            onChange={({ currentTarget }) => setApply(currentTarget.checked)}
          />
        )}
        {decide.error && <Failure error={decide.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button loading={decide.isPending} onClick={() => decide.mutate({ variant, note: note.trim(), apply }, { onSuccess: onClose })}>
            {t('decide')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

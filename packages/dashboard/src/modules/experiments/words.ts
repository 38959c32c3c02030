import { useFormat } from '../../format.ts'
import type { Experiment, ListedExperiment, Metric } from './api.ts'
import { useTexts } from './texts.ts'

/** The name of a group: those of a control group have one in words, variants are called as whoever made them did. */
export function useGroupName({ subject }: Pick<ListedExperiment, 'subject'>): (id: string) => string {
  const t = useTexts()
  return (id) => nameIn(t, subject, id)
}

function nameIn(t: ReturnType<typeof useTexts>, subject: ListedExperiment['subject'], id: string): string {
  return subject === 'control' && (id === 'reached' || id === 'control') ? t(`group_${id}`) : id
}

/** The experiment with the names of its groups instead of their ids. */
export function useNamed(experiment: Experiment): Experiment {
  const nameOf = useGroupName(experiment)
  if (experiment.subject !== 'control') return experiment
  const named = <Row extends { variantId: string }>(row: Row): Row => ({ ...row, variantId: nameOf(row.variantId) })
  const { verdict, groups, guardrails, sampleRatio, decision } = experiment
  return {
    ...experiment,
    verdict: verdict.kind === 'too_few' ? verdict : { ...verdict, best: nameOf(verdict.best), than: nameOf(verdict.than) },
    groups: groups.map(named),
    guardrails: guardrails.map(({ than, against, ...guardrail }) => ({
      ...guardrail,
      ...(than !== undefined && { than: nameOf(than) }),
      against: against.map(named),
    })),
    sampleRatio: sampleRatio && { ...sampleRatio, groups: sampleRatio.groups.map(named) },
    decision: decision && { ...decision, variant: decision.variant && nameOf(decision.variant) },
    // All languages of a person count alike.
    languages: [],
  }
}

/** What an experiment says, in one or two short sentences; harm before any winner. */
export function useSays(): (experiment: ListedExperiment) => string {
  const t = useTexts()
  const format = useFormat()
  return ({ subject, state, verdict, isMismatch, harmed, missing, days }) => {
    const isOfPeople = subject === 'control'
    const nameOf = (id: string) => nameIn(t, subject, id)
    if (state === 'planned') return t('saysPlanned')
    if (isMismatch) return t('saysMismatch')
    if (harmed.length > 0 && verdict.kind !== 'too_few') return t('saysHarmed', { best: nameOf(verdict.best), events: format.list(harmed) })
    if (verdict.kind === 'clear' && isOfPeople) return t(verdict.best === 'reached' ? 'saysBrings' : 'saysCosts')
    if (verdict.kind === 'clear') return t('saysClear', { best: nameOf(verdict.best), than: nameOf(verdict.than) })
    const needs = missing ? [t(isOfPeople ? 'saysNeedsOfPeople' : 'saysNeeds', { more: format.number(missing) })] : []
    const lasts = days ? [t('saysDays', { count: days, number: format.number(days) })] : []
    return [t(verdict.kind === 'open' ? 'saysOpen' : isOfPeople ? 'saysFewOfPeople' : 'saysFew'), ...needs, ...lasts].join(' ')
  }
}

/** The metric in words, such as "devices with click within 7 days". */
export function useGoal({ subject }: Pick<ListedExperiment, 'subject'>): (metric: Metric) => string {
  const t = useTexts()
  const format = useFormat()
  return ({ event, where, of, days }) =>
    t(of === 'people' && subject === 'control' ? 'goalOfPeople' : `goal_${of}`, {
      event: where ? t('narrowed', { event }) : event,
      days: format.number(days),
    })
}

/** A mean or a difference of means: shares of a hundred, other numbers with two digits behind the point. */
export function useAmount({ of }: Pick<Metric, 'of'>): (value: number) => string {
  const format = useFormat()
  return (value) => (of === 'people' ? format.percent(value) : format.number(Math.round(value * 100) / 100))
}

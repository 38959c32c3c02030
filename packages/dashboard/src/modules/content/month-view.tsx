import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../i18n.ts'
import { useSession } from '../../session.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { instancePath, type Summary } from './api.ts'
import { MonthGrid, useMonth, type MonthEntry } from './month-grid.tsx'
import { entriesOf, type Entry } from './month.ts'
import { useTexts } from './texts.ts'
import { useInstanceName } from './use-instance-name.ts'
import { TurnMark } from './turn-mark.tsx'

/** A month of starts and ends of schedules (G-83). */
export function MonthView() {
  const toEntry = useEntry()
  const shown = useMonth()
  const pages = usePages<Summary>('/instances', 'instances', { limit: 200, labelLocale: useLanguage(), ...shown.bounds }, { every: 60_000 })
  return <MonthGrid shown={shown} pages={pages} entriesOf={(instances) => entriesOf(instances).map(toEntry)} />
}

function useEntry(): (entry: Entry) => MonthEntry {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const nameOf = useInstanceName()
  return ({ instance, change, isDraft, at }) => {
    const name = nameOf(instance)
    return {
      key: instance.id + change,
      at,
      path: instancePath(workspace.id, instance.blockKey, instance.id),
      name,
      words: t(isDraft ? 'entryOfDraft' : 'entry', { name, change: t(change), time: format.moment(at) }),
      change: isDraft ? t('draftEntry') : t(change),
      mark: <TurnMark change={change} isDraft={isDraft} />,
      badge: <StateBadge state={instance.state} />,
    }
  }
}

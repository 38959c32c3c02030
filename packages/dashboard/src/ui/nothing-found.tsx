import { Button } from '@mantine/core'
import { IconFilterOff, IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from './empty-state.tsx'
import { useTexts } from './texts.ts'

type NothingFoundProps = {
  search: string
  /** Whether anything but the search leaves some out. */
  isFiltered?: boolean | undefined
  onClear?: (() => void) | undefined
}

/** A list without what was asked for: it names the search, and speaks of filters only where one is set. */
export function NothingFound({ search, isFiltered = false, onClear }: NothingFoundProps) {
  const t = useTexts()
  return (
    <EmptyState
      icon={isFiltered ? IconFilterOff : IconSearchOff}
      title={t('nothingMatches')}
      text={isFiltered ? t(search === '' ? 'noneFiltered' : 'nothingMatchesText') : t('noneFound', { search })}
    >
      {onClear && (
        <Button variant="default" onClick={onClear}>
          {t(isFiltered ? 'clearFilters' : 'clearSearch')}
        </Button>
      )}
    </EmptyState>
  )
}

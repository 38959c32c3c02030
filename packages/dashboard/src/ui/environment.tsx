import { SegmentedControl } from '@mantine/core'
import { useUrlState } from './url-state.ts'
import { useTexts } from './texts.ts'
import type { Environment } from '@contentflow/server/wire.ts'

export type { Environment }

/** The environment that is looked at lives in the address. */
export function useEnvironment(): [Environment, (environment: Environment) => void] {
  const [text, setText] = useUrlState('environment', 'live')
  return [text === 'test' ? 'test' : 'live', setText]
}

/** The query for addresses of a page that is about the other environment too. */
export function environmentQuery(environment: Environment): string {
  return environment === 'test' ? '?environment=test' : ''
}

export function EnvironmentSwitch({ value, onChange }: { value: Environment; onChange: (environment: Environment) => void }) {
  const t = useTexts()
  return (
    <SegmentedControl
      aria-label={t('environment')}
      data={[
        { value: 'live', label: t('liveEnvironment') },
        { value: 'test', label: t('testEnvironment') },
      ]}
      value={value}
      onChange={(next) => onChange(next === 'test' ? 'test' : 'live')}
    />
  )
}

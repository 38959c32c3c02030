import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Fault } from './faults.ts'
import { useFaultText } from './fault-text.ts'
import { usePlaceNames } from './place-names.ts'
import { placeKey } from './places.ts'
import { useTexts } from '../texts.ts'

/** The faults that are left to correct, by the names of the fields. */
export function FaultList({ faults }: { faults: readonly Fault[] }) {
  const t = useTexts()
  const names = usePlaceNames()
  const text = useFaultText()
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('mendFirst', { count: faults.length })} role="alert">
      <List size="sm" spacing={4}>
        {faults.map((fault) => (
          <List.Item key={`${placeKey(fault.place)} ${fault.problem}`}>
            <b>{names(fault.place)}:</b> {text(fault)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

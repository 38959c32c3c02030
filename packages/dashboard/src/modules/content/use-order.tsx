import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useWrite } from '../../data.ts'
import type { Summary } from './api.ts'
import { inOrder } from './board.ts'
import { useTexts } from './texts.ts'

/** The instances of a type as they were last put, and a way to put them otherwise, which can be undone. */
export function useOrder(blockKey: string, stored: Summary[]) {
  const t = useTexts()
  // What was put down is shown at once, until the server's answer stands in its place.
  const [wanted, setWanted] = useState<string[]>()
  const put = useWrite<string[]>((ids) => ({ path: `/blocks/${blockKey}/instances/order`, method: 'PUT', body: { ids } }), {
    stale: ['/instances', `/blocks/${blockKey}/instances`],
  })
  const save = (ids: string[], onSuccess: () => void) => {
    setWanted(ids)
    put.mutate(ids, { onSuccess, onSettled: () => setWanted(undefined) })
  }
  const reorder = (ids: string[]) => {
    const before = stored.map(({ id }) => id)
    save(ids, () => {
      const id = `order:${blockKey}`
      const undo = () => {
        notifications.hide(id)
        save(before, () => notifications.show({ message: t('orderBack'), color: 'teal' }))
      }
      notifications.show({
        id,
        color: 'teal',
        autoClose: 8_000,
        message: (
          <Group justify="space-between" wrap="nowrap">
            {t('orderSaved')}
            <Button size="compact-sm" variant="light" onClick={undo}>
              {t('undo')}
            </Button>
          </Group>
        ),
      })
    })
  }
  return { instances: wanted ? inOrder(stored, wanted) : stored, reorder }
}

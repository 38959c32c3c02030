import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { call, type ApiError } from '../../api.ts'
import { useWrite } from '../../data.ts'
import { useRefusal } from '../../refusals.ts'
import { useSession } from '../../session.tsx'
import type { Summary } from './api.ts'
import { inOrder, moveTo } from './board.ts'
import { useTexts } from './texts.ts'

/** How many instances one request can order; with more, priorities are set one by one in the editor. */
export const ORDERED_AT_ONCE = 200

/** The instances of a type in their order, and a way to reorder them, which can be undone. `total`: how many the type has. */
export function useOrder(blockKey: string, stored: readonly Summary[], total: number) {
  const t = useTexts()
  const say = useRefusal()
  const { workspace } = useSession()
  // The new order is shown at once, until the server's answer replaces it.
  const [wanted, setWanted] = useState<string[]>()
  const put = useWrite<string[]>((ids) => ({ path: `/blocks/${blockKey}/instances/order`, method: 'PUT', body: { ids } }), {
    stale: ['/instances', `/blocks/${blockKey}/instances`],
  })
  const save = (ids: string[], onSuccess: () => void) => {
    setWanted(ids)
    put.mutate(ids, { onSuccess, onSettled: () => setWanted(undefined) })
  }
  const here = stored.map(({ id }) => id)
  /** Instances that are not shown have a place too, so all are read before one is moved among them. */
  const readAll = async () => {
    if (stored.length >= total) return here
    const query = { blockKey, limit: ORDERED_AT_ONCE }
    const { data } = await call<{ instances: Summary[] }>('/instances', { query, workspaceId: workspace.id })
    return data.instances.map(({ id }) => id)
  }
  const move = async (moved: string, target: string) => {
    setWanted(moveTo(here, moved, target))
    const before = await readAll()
    save(moveTo(before, moved, target), () => {
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
  const reorder = (moved: string, target: string) => {
    move(moved, target).catch((error: ApiError) => {
      setWanted(undefined)
      notifications.show({ message: say(error), color: 'red', autoClose: 10_000 })
    })
  }
  return { instances: wanted ? inOrder(stored, wanted) : stored, reorder }
}

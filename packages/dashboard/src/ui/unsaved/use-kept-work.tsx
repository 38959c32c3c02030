import { Alert, Button, Group, Text } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../../format.ts'
import { defineTexts } from '../../i18n.ts'
import { dropKept, readKept, writeKept, type Kept, type KeptWorkKey } from '../../kept-work.ts'
import { useSession } from '../../session.tsx'

const useTexts = defineTexts('kept-work', {
  en: {
    title: 'Your unsaved changes are back',
    text: 'This browser kept what you typed until {{at}}. It isn’t saved yet.',
    discard: 'Discard changes',
  },
  ar: {
    title: 'عادت التعديلات غير المحفوظة',
    text: 'احتفظ هذا المتصفح بما كُتب حتى {{at}}، ولم يُحفظ بعد.',
    discard: 'تجاهل التعديلات',
  },
})

/** Milliseconds without a change after which it is written. */
const AFTER_MS = 400

/** The work kept for this thing when the page was opened, to start from. */
export function useFoundWork<T>(thing: string): Kept<T> | undefined {
  const place = usePlace(thing)
  const [found] = useState(() => readKept<T>(place))
  return found
}

/** Keeps what is not saved; undefined: all of it is. `forget`: it is given up. `isTakenUp`: the page began with what was kept. */
export function useKeepWork(thing: string, work: unknown, isTakenUp = false): { forget: () => void } {
  const { workspaceId, userId } = usePlace(thing)
  const text = work === undefined ? undefined : JSON.stringify(work)
  const isKept = useRef(isTakenUp)
  useEffect(() => {
    const place = { workspaceId, userId, thing }
    if (text === undefined) {
      // Work that is kept for a page that has not taken it up yet stays.
      if (isKept.current) dropKept(place)
      isKept.current = false
      return undefined
    }
    const write = () => writeKept(place, JSON.parse(text))
    isKept.current = true
    const timer = setTimeout(write, AFTER_MS)
    addEventListener('pagehide', write)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', write)
    }
  }, [text, workspaceId, userId, thing])
  return { forget: () => dropKept({ workspaceId, userId, thing }) }
}

function usePlace(thing: string): KeptWorkKey {
  const { me, workspace } = useSession()
  return { workspaceId: workspace.id, userId: me.user.userId, thing }
}

/** Says that what was kept is in the page again. */
export function FoundWork({ found, isDirty, onDiscard }: { found: Kept<unknown> | undefined; isDirty: boolean; onDiscard: () => void }) {
  const t = useTexts()
  const format = useFormat()
  const [isAnswered, setAnswered] = useState(false)
  if (!found || !isDirty || isAnswered) return null
  return (
    <Alert
      color="blue"
      role="status"
      icon={<IconRestore aria-hidden />}
      title={t('title')}
      withCloseButton
      onClose={() => setAnswered(true)}
    >
      <Group gap="sm">
        <Text size="sm">{t('text', { at: format.moment(found.at) })}</Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setAnswered(true)
            onDiscard()
          }}
        >
          {t('discard')}
        </Button>
      </Group>
    </Alert>
  )
}

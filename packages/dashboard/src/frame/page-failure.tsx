import { Button, Center } from '@mantine/core'
import { IconCloudOff, IconMoodSad } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { isThere, useAwaySince } from '../away.ts'
import { useFormat } from '../format.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useTexts } from './texts.ts'

/** How browsers say that a file of the page did not arrive. */
const NOT_LOADED = /dynamically imported module|module script failed|preload CSS/i
/** Milliseconds in which a page is not opened anew twice. */
const RELOADED_MS = 20_000
const RELOADED = 'cf.reloaded'

/** Shown when a page breaks, when its files do not arrive, or when they are gone because a newer version was installed. */
export function PageFailure() {
  const t = useTexts()
  const format = useFormat()
  const error = useRouteError()
  const since = useAwaySince()
  const isLoadingFailed = error instanceof Error && NOT_LOADED.test(error.message)
  useEffect(() => {
    if (!isLoadingFailed) reportError(error)
    // Browsers may remember that a file failed; a page that is opened anew asks for it again, under its newest name.
    else if (since === undefined) void isThere().then((answers) => answers && reloadOnce())
  }, [error, isLoadingFailed, since])
  if (isLoadingFailed && since !== undefined)
    return (
      <Center mih="60vh" p="md">
        <EmptyState isPage icon={IconCloudOff} title={t('awayTitle')} text={t('awayPage', { time: format.clock(since) })} />
      </Center>
    )
  return (
    <Center mih="60vh" p="md">
      <EmptyState isPage icon={IconMoodSad} title={t('failedTitle')} text={t('failedText')}>
        <Button onClick={() => location.reload()}>{t('reload')}</Button>
      </EmptyState>
    </Center>
  )
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < RELOADED_MS) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
}

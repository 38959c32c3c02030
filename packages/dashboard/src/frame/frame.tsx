import { Badge, Burger, Group, Kbd, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFlask, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { ApiError } from '../api.ts'
import { loadTexts } from '../i18n.ts'
import { SessionProvider, useMe, useSession } from '../session.tsx'
import { useSsoRequired } from '../sso.ts'
import { Failure } from '../ui/failure.tsx'
import { AccountMenu } from './menus/account-menu.tsx'
import { AwayNotice } from './away-notice.tsx'
import { useEndWhenIdle } from './use-end-when-idle.ts'
import { Loading } from './loading.tsx'
import { ColourSwitch, LanguageSwitch } from './look-switches.tsx'
import { Navigation } from './navigation.tsx'
import { NoWorkspace } from './no-workspace.tsx'
import { PaletteOpener } from './palette-opener.tsx'
import { SsoNotice } from './sso-notice.tsx'
import { SuspendedNotice } from './suspended-notice.tsx'
import { useTexts } from './texts.ts'
import { WorkspaceMenu } from './menus/workspace-menu.tsx'
import classes from './frame.module.css'

/** The frame around every page of a workspace. */
export function Frame() {
  const { data: me, error, refetch } = useMe()
  const { pathname, search } = useLocation()
  if (error instanceof ApiError && error.status === 401)
    return <Navigate to={`/login?from=${encodeURIComponent(pathname + search)}`} replace />
  if (error && !me) return <Failure error={error} onRetry={() => void refetch()} />
  if (!me) return <Loading />
  return (
    <SessionProvider me={me} otherwise={<NoWorkspace me={me} />}>
      <Gate />
    </SessionProvider>
  )
}

const SecondFactorGate = lazy(async () => {
  const [{ SecondFactorGate: Loaded }] = await Promise.all([import('../modules/workspaces/second-factor-gate.tsx'), loadTexts()])
  return { default: Loaded }
})

/** The workspace, or what is in the way: a second factor that it asks for. Once shown, that stays until its person is done with it. */
function Gate() {
  const { workspace } = useSession()
  const [shut, setShut] = useState<string>()
  const isShut = shut === workspace.id
  if (workspace.needsSecondFactor && !isShut) setShut(workspace.id)
  if (!workspace.needsSecondFactor && !isShut) return <Shell />
  return (
    <Suspense fallback={<Loading />}>
      <SecondFactorGate key={workspace.id} onOpen={() => setShut(undefined)} />
    </Suspense>
  )
}

function Shell() {
  const t = useTexts()
  const { workspace } = useSession()
  const ssoAddress = useSsoRequired(workspace.id)
  const { pathname } = useLocation()
  const [isOpen, { toggle, close }] = useDisclosure()
  const [isPaletteWanted, setPaletteWanted] = useState(false)
  useEffect(close, [pathname, close])
  useEndWhenIdle()
  return (
    <div className={classes.shell} data-open={isOpen || undefined}>
      <a href="#page" className={classes.skip}>
        {t('skip')}
      </a>
      <header className={classes.header} data-sandbox={workspace.isSandbox || undefined}>
        <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="700px"
              size="sm"
              aria-label={t(isOpen ? 'closeNavigation' : 'openNavigation')}
              className={classes.burger}
            />
            <WorkspaceMenu />
            {workspace.isSandbox && (
              <Tooltip label={t('sandboxText')} multiline maw={280}>
                <Badge
                  variant="light"
                  color="violet"
                  tt="none"
                  px={6}
                  role="note"
                  tabIndex={0}
                  aria-label={t('sandbox')}
                  className={classes.sandbox}
                >
                  <IconFlask size={14} aria-hidden />
                  <span>{t('sandbox')}</span>
                </Badge>
              </Tooltip>
            )}
          </Group>
          <Group gap={4} wrap="nowrap">
            <UnstyledButton className={classes.search} onClick={() => setPaletteWanted(true)}>
              <IconSearch size={16} aria-hidden />
              <Text size="sm" c="dimmed" className={classes.searchLabel}>
                {t('search')}
              </Text>
              <Kbd size="xs" visibleFrom="md" aria-hidden>
                Ctrl K
              </Kbd>
            </UnstyledButton>
            <LanguageSwitch />
            <ColourSwitch />
            <AccountMenu />
          </Group>
        </Group>
      </header>
      <div className={classes.navbar}>
        <Navigation />
      </div>
      <main id="page" tabIndex={-1} className={classes.main}>
        <AwayNotice />
        <SuspendedNotice />
        {ssoAddress === undefined ? <Outlet /> : <SsoNotice address={ssoAddress} />}
      </main>
      <PaletteOpener isWanted={isPaletteWanted} onWanted={setPaletteWanted} />
    </div>
  )
}

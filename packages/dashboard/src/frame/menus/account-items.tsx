import { Menu, Text } from '@mantine/core'
import { IconBook, IconDevices, IconHelp, IconLogout } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { loadTexts, useLanguage } from '../../i18n.ts'
import { useSession, useSignOut } from '../../session.tsx'
import { hasUnsaved } from '../../unsaved.ts'
import type { LoadedMenuProps } from './lazy-menu.tsx'
import { useTexts } from '../texts.ts'

const LeaveDialog = lazy(async () => {
  const [{ LeaveDialog: Opened }] = await Promise.all([import('../leave-dialog.tsx'), loadTexts()])
  return { default: Opened }
})

/** The menu of whoever is signed in. */
export function AccountItems({ button }: LoadedMenuProps) {
  const t = useTexts()
  const language = useLanguage()
  const { me, workspace } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(true), [])
  const [asked, setAsked] = useState<{ everywhere: boolean }>()
  const leave = async (everywhere: boolean) => {
    await signOut(everywhere)
    await navigate('/login')
  }
  const ask = (everywhere: boolean) => (hasUnsaved() ? setAsked({ everywhere }) : void leave(everywhere))
  return (
    <>
      <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={240}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} c="var(--mantine-color-text)">
              {me.user.name}
            </Text>
            <Text size="xs" dir="ltr" className="cf-foreign">
              {me.user.email}
            </Text>
            <Text size="xs">{workspace.roleName ?? t(`role_${workspace.role}`)}</Text>
          </Menu.Label>
          <Menu.Item
            component="a"
            href={language === 'ar' ? '/guide/ar/' : '/guide/'}
            target="_blank"
            leftSection={<IconHelp size={16} aria-hidden />}
          >
            {t('guide')}
          </Menu.Item>
          <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} aria-hidden />}>
            {t('apiDocs')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden className="cf-mirrored" />} onClick={() => ask(false)}>
            {t('signOut')}
          </Menu.Item>
          <Menu.Item leftSection={<IconDevices size={16} aria-hidden />} onClick={() => ask(true)}>
            {t('signOutEverywhere')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <Suspense>
          <LeaveDialog onClose={() => setAsked(undefined)} onLeave={() => void leave(asked.everywhere)} />
        </Suspense>
      )}
    </>
  )
}

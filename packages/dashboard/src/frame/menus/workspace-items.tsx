import { Menu } from '@mantine/core'
import { IconCheck, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useInstallation, useSession } from '../../session.tsx'
import type { LoadedMenuProps } from './lazy-menu.tsx'
import { useTexts } from '../texts.ts'

const NewWorkspace = lazy(async () => ({ default: (await import('../new-workspace.tsx')).NewWorkspace }))

/** The workspaces of whoever is signed in. */
export function WorkspaceItems({ button }: LoadedMenuProps) {
  const t = useTexts()
  const { me, workspace } = useSession()
  const navigate = useNavigate()
  const { areWorkspacesOpen = true } = useInstallation() ?? {}
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(true), [])
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <Menu opened={isOpen} onChange={setOpen} position="bottom-start" width={260}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('workspace')}</Menu.Label>
          {me.workspaces.map(({ id, name }) => (
            <Menu.Item
              key={id}
              rightSection={id === workspace.id && <IconCheck size={16} aria-hidden />}
              aria-current={id === workspace.id}
              onClick={() => void navigate(`/w/${id}`)}
            >
              {name}
            </Menu.Item>
          ))}
          {areWorkspacesOpen && <Menu.Divider />}
          {areWorkspacesOpen && (
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNaming(true)}>
              {t('newWorkspace')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <Suspense>
          <NewWorkspace onClose={() => setNaming(false)} />
        </Suspense>
      )}
    </>
  )
}

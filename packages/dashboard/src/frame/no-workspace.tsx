import { Anchor, Center, List } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Me } from '../session.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useTexts } from './texts.ts'

export function NoWorkspace({ me }: { me: Me }) {
  const t = useTexts()
  return (
    <Center mih="100vh" p="md" component="main">
      <EmptyState isPage icon={IconBuildingStore} title={t('noWorkspaceTitle')} text={t('noWorkspaceText')}>
        <List listStyleType="none">
          {me.workspaces.map(({ id, name }) => (
            <List.Item key={id}>
              <Anchor component={Link} to={`/w/${id}`}>
                {name}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </EmptyState>
    </Center>
  )
}

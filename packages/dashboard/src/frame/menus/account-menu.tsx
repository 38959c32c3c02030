import { Avatar } from '@mantine/core'
import { useSession } from '../../session.tsx'
import { LazyMenu } from './lazy-menu.tsx'
import { useTexts } from '../texts.ts'

export const loadAccountItems = async () => (await import('./account-items.tsx')).AccountItems

export function AccountMenu() {
  const t = useTexts()
  const { me } = useSession()
  return (
    <LazyMenu load={loadAccountItems} px={4}>
      <span className="cf-visually-hidden">{t('account')}</span>
      <Avatar name={me.user.name} color="teal" variant="filled" radius="xl" size={34} aria-hidden />
    </LazyMenu>
  )
}

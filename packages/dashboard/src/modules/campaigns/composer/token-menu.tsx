import { TokensMenu, type TokensMenuProps } from '../../../ui/tokens/tokens-menu.tsx'
import { useComposer } from './composer-context.tsx'

/** Puts a placeholder where one writes. */
export function TokenMenu(props: Omit<TokensMenuProps, 'tokens'>) {
  return <TokensMenu {...props} tokens={useComposer().tokens} />
}

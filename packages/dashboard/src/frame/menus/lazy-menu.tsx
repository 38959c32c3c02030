import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'

/** What a menu is made of once it is loaded. It is mounted closed and opens itself, so that closing it gives the focus back to its button. */
export type LoadedMenuProps = { button: ReactNode }

type LazyMenuProps = UnstyledButtonProps & {
  load: () => Promise<ComponentType<LoadedMenuProps>>
  'aria-label'?: string
  children: ReactNode
}

/** A button whose menu is loaded when it is first pressed: the start page does without all that menus are made of. */
export function LazyMenu({ load, children, ...button }: LazyMenuProps) {
  const holder = useRef<HTMLSpanElement>(null)
  const [Loaded, setLoaded] = useState<ComponentType<LoadedMenuProps>>()
  useEffect(() => {
    // Its button is another element, which takes over the focus.
    if (Loaded) holder.current?.querySelector('button')?.focus()
  }, [Loaded])
  // Where it cannot be loaded, pressing again tries again; that the server is away is said by the frame.
  const open = () => void load().then((menu) => setLoaded(() => menu), ignored)
  return (
    <span ref={holder} style={{ display: 'contents' }}>
      {Loaded ? (
        <Loaded button={<UnstyledButton {...button}>{children}</UnstyledButton>} />
      ) : (
        <UnstyledButton
          {...button}
          aria-haspopup="menu"
          aria-expanded={false}
          onClick={open}
          onPointerEnter={() => void load().catch(ignored)}
        >
          {children}
        </UnstyledButton>
      )}
    </span>
  )
}

function ignored(): void {}

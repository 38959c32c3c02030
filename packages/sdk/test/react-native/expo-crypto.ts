/** What the snippet takes from `expo-crypto`. */
declare const uuid: () => string

export const randomUUID = (): string => uuid()

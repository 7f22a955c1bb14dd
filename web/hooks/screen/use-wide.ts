import { useMediaQuery } from '@mantine/hooks'

/** From 80em, where a panel has its place beside a list. */
export const useWide = (): boolean => useMediaQuery('(min-width: 80em)', false, { getInitialValueInEffect: false })

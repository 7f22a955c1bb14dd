import { useMediaQuery } from '@mantine/hooks'

/** From 62em, where the navigation stands beside the page. */
export const useBeside = (): boolean => useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })

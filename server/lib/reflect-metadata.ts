// A library behind passkeys wants this before it is loaded; a file of its own keeps that order in the one-file build.
import 'reflect-metadata'

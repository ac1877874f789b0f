/**
 * Where the runtime is wired together. Nothing imports this package: {@link io.karmi.Karmi} is
 * found by name.
 */
package io.karmi;

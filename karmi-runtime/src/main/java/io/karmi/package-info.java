/**
 * Where the runtime is wired together. Nothing imports this package: {@link io.karmi.Karmi} is
 * found by name.
 */
@NullMarked
package io.karmi;

import org.jspecify.annotations.NullMarked;

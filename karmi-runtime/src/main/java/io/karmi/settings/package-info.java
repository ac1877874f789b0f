/**
 * Reading of numeric settings.
 *
 * <p>Imports nothing of KaRMI, so that each package may read its own settings. Their meaning is in
 * the package that reads them, and in docs/operations.md.
 */
@NullMarked
package io.karmi.settings;

import org.jspecify.annotations.NullMarked;

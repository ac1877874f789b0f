/**
 * What KaRMI's commands have in common: help, version, exit statuses, and errors of one line.
 *
 * <p>Imports nothing of KaRMI.
 */
@NullMarked
package io.karmi.cli;

import org.jspecify.annotations.NullMarked;

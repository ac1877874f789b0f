/**
 * What a member of an exchange space asks of a directory, and how directories are found. Not for
 * programs: for the server that comes with KaRMI, and for engines that take its place.
 */
@NullMarked
package io.karmi.exchange.directory;

import org.jspecify.annotations.NullMarked;

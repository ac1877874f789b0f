/** Support for tests with several JVMs. */
package io.karmi.kit;

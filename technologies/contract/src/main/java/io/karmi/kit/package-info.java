/** What tests with several JVMs share. */
package io.karmi.kit;

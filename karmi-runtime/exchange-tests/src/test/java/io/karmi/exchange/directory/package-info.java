/** What each directory of exchange spaces must do. */
package io.karmi.exchange.directory;

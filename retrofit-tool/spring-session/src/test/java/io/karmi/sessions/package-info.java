/** Sessions that outlive KaRMI. */
package io.karmi.sessions;

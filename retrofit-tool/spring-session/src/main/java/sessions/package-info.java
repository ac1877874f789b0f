/** A program of Spring Boot that knows nothing of KaRMI, and keeps its sessions in a database. */
package sessions;
